/** The same for all ways of writing one home folder: `C:\\Users\\Ada` and `/c/Users/ada`. */
export function homeKey(home: string): string {
  const path = home.replace(/\\+/g, "/").replace(/^\/(?:mnt\/)?([a-z])\/(?=users\/)/i, "$1:/");
  return /^[a-z]:/i.test(path) ? path.toLowerCase() : path;
}
