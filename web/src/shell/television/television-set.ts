/** The parts of Tizen's device API that a page may have (`tizen.tvinputdevice`, `tizen.application`). */
interface Tizen {
  tvinputdevice?: { getSupportedKeys(): { name: string }[]; registerKeyBatch(names: string[]): void }
  application?: { getCurrentApplication(): { exit(): void } }
}

/** The object of webOS in its apps. */
interface WebOsSystem {
  platformBack?: () => void
}

/** Keys that Tizen sends only to apps that ask for them. It always sends arrows, OK and back. */
const TIZEN_KEYS: ReadonlySet<string> = new Set([
  'MediaPlayPause',
  'MediaPlay',
  'MediaPause',
  'MediaStop',
  'MediaFastForward',
  'MediaRewind',
  'MediaTrackNext',
  'MediaTrackPrevious',
  'ChannelUp',
  'ChannelDown',
])

/** Asks the television for the keys of its remote. Only Tizen has to be asked. */
export function requestKeys(): void {
  const device = tizen()?.tvinputdevice
  // Tizen refuses the whole list if the remote lacks one of its keys.
  const names = device?.getSupportedKeys().map(({ name }) => name) ?? []
  device?.registerKeyBatch(names.filter((name) => TIZEN_KEYS.has(name)))
}

/**
 * Leaves the app, as back does on the first screen of a television's app. Returns false outside of such an app: the
 * browser or the Android app then handles the key.
 */
export function leaveApp(): boolean {
  const application = tizen()?.application
  const webOs: WebOsSystem | undefined = Reflect.get(globalThis, 'webOSSystem')
  if (application !== undefined) application.getCurrentApplication().exit()
  else if (webOs?.platformBack !== undefined) webOs.platformBack()
  else return false
  return true
}

function tizen(): Tizen | undefined {
  return Reflect.get(globalThis, 'tizen')
}
