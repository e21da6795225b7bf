/** The parts of Tizen's device API that Ondine uses (`tizen.tvinputdevice`, `tizen.application`). */
interface Tizen {
  tvinputdevice?: { getSupportedKeys(): { name: string }[]; registerKeyBatch(names: string[]): void }
  application?: { getCurrentApplication(): { exit(): void } }
}

/** The global object that webOS gives to apps. */
interface WebOsSystem {
  platformBack?: () => void
}

/** Keys that Tizen sends only to apps that register them. Tizen always sends arrows, OK and back. */
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

/** Registers the keys of the remote. Only Tizen requires this. */
export function requestKeys(): void {
  const device = tizen()?.tvinputdevice
  // Tizen rejects the whole list if the remote lacks one of the keys, so only supported keys are registered.
  const names = device?.getSupportedKeys().map(({ name }) => name) ?? []
  device?.registerKeyBatch(names.filter((name) => TIZEN_KEYS.has(name)))
}

/**
 * Leaves the app. Called for back on the first screen of a television's app. Returns false outside of such an app,
 * where the browser or the Android app handles the key.
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
