// Preloaded into a program whose memory is measured: writes its peak resident memory to a file.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const file = process.env.POLLUX_LONG_PEAK;
  if (file !== undefined) writeFileSync(file, String(process.resourceUsage().maxRSS * 1024));
});
