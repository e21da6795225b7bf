/**
 * Returns a value that this tab has stored under a name; undefined without a stored value. Works only in the
 * browser.
 */
export function kept(name: string): unknown {
  const text = typeof sessionStorage === 'undefined' ? null : sessionStorage.getItem(name)
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    // The stored text may be invalid. Text that is not JSON is ignored.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Stores a value under a name until the tab is closed. `null` removes the stored value. */
export function keep(name: string, value: unknown): void {
  if (value === null) sessionStorage.removeItem(name)
  else sessionStorage.setItem(name, JSON.stringify(value))
}
