/** The service managers that can start the watch at login. */
export const SERVICES = ["systemd", "launchd", "windows"] as const;
export type ServiceKind = (typeof SERVICES)[number];

/** The name of the service in launchd. */
export const LAUNCHD_LABEL = "dev.pollux.watch";

export function ownService(platform: NodeJS.Platform): ServiceKind {
  if (platform === "darwin") return "launchd";
  return platform === "win32" ? "windows" : "systemd";
}

export function serviceText(kind: ServiceKind, command: string): string {
  switch (kind) {
    case "systemd":
      return systemd(command);
    case "launchd":
      return launchd(command);
    case "windows":
      return windows(command);
    default:
      return kind satisfies never;
  }
}

function systemd(command: string): string {
  return `[Unit]
Description=Pollux keeps every session of coding agents

[Service]
ExecStart=/bin/sh -lc 'exec ${command.replaceAll("'", `'\\''`)} watch --quiet'
Restart=on-failure
Nice=10

[Install]
WantedBy=default.target
`;
}

function launchd(command: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
  "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${LAUNCHD_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
    <string>/bin/sh</string>
    <string>-lc</string>
    <string>exec ${escaped(command)} watch --quiet</string>
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ProcessType</key><string>Background</string>
</dict>
</plist>
`;
}

function windows(command: string): string {
  // Without an encoding, because shells save it as UTF-8 or as UTF-16.
  return `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>7</Priority>
  </Settings>
  <Actions>
    <Exec>
      <Command>cmd.exe</Command>
      <Arguments>/c ${escaped(command)} watch --quiet</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
