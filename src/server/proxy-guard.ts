import type { IncomingMessage } from "node:http";
import type { Refusal } from "./guard.ts";

const LONGEST_ADDRESS = 4096;

/** Behind a proxy that signs in: the token was checked, and the name is the proxy's. */
export class ProxyGuard {
  refuse({ url = "" }: IncomingMessage): Refusal | undefined {
    if (url.length <= LONGEST_ADDRESS) return undefined;
    return { status: 414, code: "address-too-long", message: "The address is too long." };
  }

  /** The browser sends the proxy's cookie along whoever asks: pages of others are refused. */
  refuseQuestion({ headers }: IncomingMessage): Refusal | undefined {
    const site = headers["sec-fetch-site"];
    if (site === undefined || site === "same-origin" || site === "none") return undefined;
    const message = "Questions from other pages are refused.";
    return { status: 403, code: "wrong-origin", message };
  }

  refuseForeign(request: IncomingMessage): Refusal | undefined {
    return this.refuseQuestion(request);
  }
}
