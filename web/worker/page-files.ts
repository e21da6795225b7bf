/** Returns the addresses of the scripts and styles in the HTML of a page. */
export function filesIn(page: string): string[] {
  return [...new Set(page.match(/\/assets\/[\w.-]+\.(?:js|css)\b/g))]
}
