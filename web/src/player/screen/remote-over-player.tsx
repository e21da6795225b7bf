import { createPortal } from 'react-dom'
import VirtualRemote from '../../shell/remote/virtual-remote.tsx'
import { useIsFullscreen } from '../browser/use-fullscreen.ts'

/**
 * The remote on the screen while the player is open (V3-47). It is outside of the player, because the player and all
 * its parts are below modals, which the remote operates too. In full screen the browser shows only the player, so
 * the remote is inside; modals end full screen.
 */
export default function RemoteOverPlayer() {
  return useIsFullscreen() ? <VirtualRemote /> : createPortal(<VirtualRemote />, document.body)
}
