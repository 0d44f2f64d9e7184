# An old project of which nothing is left but its sessions: its folder is known by its hash alone.

== 2025-10-30T09:05:17 | 0.11 | gemini-2.5-flash
you: How do I turn a tab separated till report into one JSON line per receipt? awk is fine
model: A receipt starts with `R`, its items with `I`. Collect the items and print when the next receipt starts:

  ```sh
  awk -F'\t' '
    $1 == "R" { if (id) print_receipt(); id = $2; items = "" }
    $1 == "I" { items = items (items ? "," : "") sprintf("{\"sku\":\"%s\",\"count\":%d}", $2, $3) }
    END { if (id) print_receipt() }
    function print_receipt() { printf "{\"id\":\"%s\",\"items\":[%s]}\n", id, items }
  ' report.tsv
  ```
you: thanks, works
model: Glad to hear it. If a name ever contains a quote, switch to `jq -R`: awk does not escape JSON.
