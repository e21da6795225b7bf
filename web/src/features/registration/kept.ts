/** What this tab kept under a name; undefined for nothing. Only in the browser. */
export function kept(name: string): unknown {
  const text = typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(name)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    // Anybody can write into a browser's storage; what is no JSON is nothing.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Keeps something under a name until the tab is closed; null for nothing. */
export function keep(name: string, value: unknown): void {
  if (value === null) sessionStorage.removeItem(name)
  else sessionStorage.setItem(name, JSON.stringify(value))
}
