import { tabStorage } from '../../ground/platform/device-storage.ts'

/** Returns a value that this tab has stored under a name; undefined without a stored value. */
export function kept(name: string): unknown {
  const text = tabStorage.getItem(name)
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
  if (value === null) tabStorage.removeItem(name)
  else tabStorage.setItem(name, JSON.stringify(value))
}
