import { leaveFor } from '@ondine/web/api/native'

/**
 * Opens links to websites in a browser view above the app. Otherwise the web view would replace the app by the
 * website. The system opens links with other schemes, such as `mailto:`.
 */
export function openLinksOutside(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || event.defaultPrevented) return
    const isOutside = /^https?:/i.test(link.href) && link.origin !== location.origin
    if (!isOutside) return
    event.preventDefault()
    leaveFor(link.href)
  })
}
