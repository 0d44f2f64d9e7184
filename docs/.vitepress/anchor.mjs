/** The anchor of a heading: by the rule of GitHub, so that links hold there and on the site. */
export function anchorOf(heading) {
  const text = heading.trim().toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
}
