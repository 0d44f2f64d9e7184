// Loaded before a program whose memory is measured: leaves its highest resident memory behind.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const file = process.env.POLLUX_LONG_PEAK;
  if (file !== undefined) writeFileSync(file, String(process.resourceUsage().maxRSS * 1024));
});
