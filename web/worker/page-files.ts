/** Returns the addresses of the application's code and styles that a page of the service names. */
export function filesIn(page: string): string[] {
  return [...new Set(page.match(/\/assets\/[\w.-]+\.(?:js|css)\b/g))]
}
