import { App } from '@capacitor/app'
import { topDialog } from '@ondine/web/shell/spatial/arrows'
import { closeOpen } from '@ondine/web/shell/spatial/close-open'
import { sendMeant } from '@ondine/web/shell/television/send-key'
import type { AnyRouter } from '@tanstack/react-router'

/**
 * Handles the back button of Android: it closes the open dialog, menu or panel, else goes back, else leaves the app. It
 * also works when the error page cannot be rendered (V2.4-24).
 */
export async function followBackButton({ history }: AnyRouter): Promise<void> {
  const goBack = () => {
    if (history.canGoBack()) history.back()
    else void App.exitApp()
  }
  await App.addListener('backButton', () => {
    const dialog = topDialog()
    if (dialog !== null) closeByEscape(dialog)
    else if (!closeOpen(goBack)) goBack()
  })
}

/** Sends the Escape key to the focused element. Escape closes every dialog that the viewer may close. */
function closeByEscape(dialog: Element): void {
  const focused = document.activeElement
  const target = focused !== null && dialog.contains(focused) ? focused : dialog
  sendMeant('Escape', { target })
}
