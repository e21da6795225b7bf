import { sendMeant } from '../television/send-key.ts'

/**
 * Open menus, lists and panels that Escape closes. Excludes those that are already closing, and the player's panels that are
 * rendered ahead.
 */
const OPEN =
  ':is([role="menu"], [role="listbox"]):not([data-exiting] *), header [aria-expanded="true"], [data-escapable], dialog[open]:not([inert])'

/**
 * Closes the innermost open menu, list or panel by the Escape key. Returns false if nothing is open.
 * @param goOn called if Escape has closed nothing, as on the search screen
 */
export function closeOpen(goOn: () => void): boolean {
  const open = document.querySelectorAll(OPEN).length
  if (open === 0) return false
  sendMeant('Escape', { target: document.activeElement ?? document.body })
  // React has rendered when this microtask runs.
  queueMicrotask(() => {
    if (document.querySelectorAll(OPEN).length >= open) goOn()
  })
  return true
}
