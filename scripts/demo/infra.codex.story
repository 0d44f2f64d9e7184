# The servers, with Codex.

file certs.sh:
  #!/bin/sh
  certbot renew --quiet
  systemctl reload nginx

== 2026-10-27T07:50:03 | 0.130.0 | gpt-5.3-codex
title: Renew certificates without cron
you: certs.sh runs from cron on one server and not at all on the other. Make it a systemd timer.
model: Two small unit files do that. First I check what is there.
tool exec_command: {"cmd": "systemctl list-timers --no-pager | head -5; ls /etc/cron.d"}
out:
  NEXT                        LEFT LAST PASSED UNIT
  Tue 2026-10-27 08:00:00 UTC 9min -    -      logrotate.timer
  certs
tool update_plan: {"plan": [{"step": "Write certs.service", "status": "in_progress"}, {"step": "Write certs.timer", "status": "pending"}]}
out:
  Plan updated
model:
tool apply_patch: {"file_path": "systemd/certs.service"}
content:
  [Unit]
  Description=Renew certificates

  [Service]
  Type=oneshot
  ExecStart=/opt/infra/certs.sh
tool apply_patch: {"file_path": "systemd/certs.timer"}
content:
  [Timer]
  OnCalendar=daily
  RandomizedDelaySec=1h
  Persistent=true

  [Install]
  WantedBy=timers.target
tool exec_command: {"cmd": "systemd-analyze verify systemd/certs.timer"}
out 1:
  systemd/certs.timer: Unit certs.service not found in the search path
model: Both units are written. `verify` complains only because they are not installed yet: copy them to `/etc/systemd/system`, then `systemctl enable --now certs.timer`, and remove `/etc/cron.d/certs` on the first server.
