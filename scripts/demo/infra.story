# Two servers, some shell scripts, nightly backups.

file README.md:
  # infra

  `alder` runs the API, `birch` keeps the backups. Everything here is plain shell.

file backup.sh:
  #!/bin/bash
  set -e
  day=$(date +%F)
  sqlite3 /srv/bakery/orders.db ".backup /tmp/orders-$day.db"
  gzip /tmp/orders-$day.db
  scp /tmp/orders-$day.db.gz birch:/backups/
  rm /tmp/orders-$day.db.gz

file nginx/bakery.conf:
  server {
    listen 443 ssl;
    server_name api.crumb.example;
    location / { proxy_pass http://127.0.0.1:3100; }
  }

file certs.sh:
  #!/bin/bash
  for host in api.crumb.example weather.crumb.example; do
    openssl s_client -connect $host:443 </dev/null 2>/dev/null | openssl x509 -noout -enddate
  done

== 2026-03-17T18:02:19 | 0.30 | gemini-2.5-flash
you: is backup.sh safe if scp fails?
model: I'll read it.
tool read_file: {"file_path": "backup.sh"}
model: Mostly: `set -e` stops the script when `scp` fails, so the last line does not delete the only copy. But the file then stays in `/tmp`, and the next night `gzip` refuses to overwrite it if it runs on the same day. Use a `trap` that removes the file, and `scp` to a temporary name that is renamed at the end, so that a half copy never looks complete.

== 2026-04-21T07:44:50 | 0.38 | gemini-3-flash-preview
title: Rotate backups on birch
you: keep 14 daily and 8 weekly backups on birch, delete the rest. show me the commands first, don't run anything
model: Dry run first then:
think: Retention | Names carry the date, so the list can be made from names alone. Sundays are the weekly ones.

  ```sh
  ls /backups | sort -r | awk 'NR > 14' | while read -r file; do
    day=${file#orders-}; day=${day%.db.gz}
    [ "$(date -d "$day" +%u)" = 7 ] || echo rm "/backups/$file"
  done
  ```

  It prints what it would remove: everything older than the 14 newest, except Sundays. The limit of 8 weeks for the Sundays is a second pass over what is left.
you: good, save it as rotate.sh with the second pass, still printing only
model:
tool write_file: {"file_path": "rotate.sh"}
content:
  #!/bin/bash
  # Prints the removals; pipe into sh to do them.
  set -eu
  cd /backups
  ls | sort -r | awk 'NR > 14' > /tmp/old
  sundays=0
  while read -r file; do
    day=${file#orders-}
    if [ "$(date -d "${day%.db.gz}" +%u)" = 7 ] && [ $sundays -lt 8 ]; then
      sundays=$((sundays + 1))
    else
      echo rm "/backups/$file"
    fi
  done < /tmp/old
model: `rotate.sh` prints the removals of both passes. Pipe it into `sh` when you trust it.

== 2026-05-19T20:15:08 | 0.39 | gemini-2.5-pro
you: certs.sh prints dates, I want it to fail when less than 14 days are left
model: `openssl x509 -checkend` does exactly that.
think: Seconds | 14 days are 1209600 seconds. The exit code is enough, no date arithmetic in shell.
tool write_file: {"file_path": "certs.sh"}
content:
  #!/bin/bash
  set -u
  failed=0
  for host in api.crumb.example weather.crumb.example; do
    openssl s_client -connect "$host:443" -servername "$host" </dev/null 2>/dev/null |
      openssl x509 -noout -checkend 1209600 >/dev/null || { echo "$host ends soon"; failed=1; }
  done
  exit $failed
tool run_shell_command: {"command": "bash -n certs.sh && echo fine", "description": "Check the syntax"}
out: fine
model: It exits with 1 and names the host when a certificate ends within 14 days. A host that cannot be reached is reported as well, because then there is no certificate to check.

== 2026-06-25T22:37:41 | 0.45 | gemini-3-pro-preview
you: alder is at 100% disk, what do I delete safely?
model: First what is big, without touching anything.
think: Disk full | Logs and package caches are the usual suspects. Only read-only commands until we know.
tool run_shell_command: {"command": "du -xh --max-depth=2 / 2>/dev/null | sort -rh | head -8", "description": "Largest folders"}
out:
  38G	/
  29G	/var/log
  4.1G	/usr
  2.2G	/srv/bakery
  1.1G	/var/cache
model: 29 of 38 GB are logs. Which of them, and is one still open?
tool run_shell_command: {"command": "ls -lhS /var/log | head -4; lsof +L1 2>/dev/null | head -3", "description": "Largest logs"}
out:
  -rw-r----- 1 www-data adm 27G Jun 25 22:36 /var/log/nginx/access.log
  -rw-r----- 1 syslog   adm 1.2G Jun 25 22:30 /var/log/syslog
model: `access.log` alone has 27 GB, so logrotate is not running for nginx. Truncate it in place (`: > /var/log/nginx/access.log`), do not delete it: nginx keeps the file open and the space would not come back.
you: done, 27G free. how do I make logrotate pick it up again?

== 2026-09-30T08:08:26 | 0.61 | gemini-3-flash-preview
title: Alert when a backup is missing
you: I want a mail when last night's backup is not on birch by 7:00
model: A check on birch itself is the most honest one: it looks for the file, not for the script's exit code.
think: Dead man's switch | A job that fails to start sends nothing. So the check has to run on the other machine.
tool write_file: {"file_path": "check-backup.sh"}
content:
  #!/bin/bash
  # On birch, from cron at 7:00. Silence means that the backup is there.
  file=/backups/orders-$(date +%F).db.gz
  [ -s "$file" ] && gzip -t "$file" && exit 0
  echo "No good backup at $file" | mail -s "backup missing" mika@crumb.example
model: `check-backup.sh` tests that today's file exists, is not empty and is a whole gzip file. Cron on birch: `0 7 * * * /srv/check-backup.sh`.
resume 2915:
you: the check complained today although the file is there. it is written at 7:10 on sundays
model: Then the check is right and its time is wrong. Run it at 8:00, or let `backup.sh` start earlier on Sundays. I'd move the check: an hour of delay costs nothing, and a backup that starts earlier may catch the baker still typing.

== 2026-10-29T19:55:13 | 0.61 | gemini-2.5-pro | torn
you: migrate nginx/bakery.conf to http2 and add hsts, explain each line you add
model: I'll change the file and explain it line by line.
think: Directives | `http2 on;` is the form of current versions; the parameter of `listen` is deprecated.
tool replace: {"file_path": "nginx/bakery.conf", "instruction": "Use http2 and HSTS."}
old:
    server_name api.crumb.example;
new:
    http2 on;
    server_name api.crumb.example;
    add_header Strict-Transport-Security "max-age=31536000" always;
model: - `http2 on;` several requests share one connection; the tablet app loads its prices in one go.
  - `add_header Strict-Transport-Security …` browsers remember for a year to use https only; `always` sends it with errors, too.

  Start with `max-age=300` for a day if you are unsure: a year is hard to take back.

== 2026-11-09T05:30:02 | 0.61 | gemini-2.5-flash-lite | headless
you: Classify this line as ok, warning or error and answer with one word: "pg_dump: warning: there are circular foreign-key constraints on this table"
model: warning

== 2026-11-13T14:06:47 | 0.61 | gemini-3-pro-preview
title: Restore drill for the orders database
you: Write down a restore drill for the orders database that a tired person can follow at night
model: Short steps, each with what you should see.
think: For a tired reader | No choices, no prose. Every step says how to know that it worked.
tool write_file: {"file_path": "RESTORE.md"}
content:
  # Restore the orders database

  1. `ssh birch ls -l /backups | tail -3`: you see a file of last night, more than 1 MB.
  2. `scp birch:/backups/orders-<day>.db.gz /tmp/`: no message.
  3. `gunzip /tmp/orders-<day>.db.gz`: no message.
  4. `sqlite3 /tmp/orders-<day>.db "select count(*) from orders"`: a number above 10000.
  5. `systemctl stop bakery-api`: no message.
  6. `cp /tmp/orders-<day>.db /srv/bakery/orders.db`: no message.
  7. `systemctl start bakery-api && curl -s localhost:3100/hours`: opening hours.

  If a step shows something else: stop, and call Mika.
model: `RESTORE.md` has seven steps, each with what you should see. Try it once in daylight; step 4 is the one that tells you whether the backup is worth anything.
you: we did it, took 6 minutes. add that to the top
model:
tool replace: {"file_path": "RESTORE.md", "instruction": "Note the drill."}
old:
  # Restore the orders database
new:
  # Restore the orders database

  Last drill: 13 November 2026, 6 minutes.
model: Noted at the top.
