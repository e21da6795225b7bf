const KEY = 'ondine.screen'

/** Records that this browser was paired as a television. It is a screen for casting on every page. */
export function markAsScreen(): void {
  localStorage.setItem(KEY, 'paired')
}

/** Returns whether this browser was paired as a television. */
export function isScreen(): boolean {
  return localStorage.getItem(KEY) !== null
}
