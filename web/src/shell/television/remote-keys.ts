/** A key of a remote, other than the arrows and OK. */
export type RemoteKey =
  | 'back'
  | 'playPause'
  | 'play'
  | 'pause'
  | 'stop'
  | 'forward'
  | 'rewind'
  | 'next'
  | 'previous'
  | 'channelUp'
  | 'channelDown'

/** Remote keys by `KeyboardEvent.key` (UI Events KeyboardEvent key Values, and the names of Tizen). */
const BY_NAME: ReadonlyMap<string, RemoteKey> = new Map([
  ['GoBack', 'back'],
  ['BrowserBack', 'back'],
  ['XF86Back', 'back'],
  ['MediaPlayPause', 'playPause'],
  ['MediaPlay', 'play'],
  ['MediaPause', 'pause'],
  ['MediaStop', 'stop'],
  ['MediaFastForward', 'forward'],
  ['MediaRewind', 'rewind'],
  ['MediaTrackNext', 'next'],
  ['MediaTrackPrevious', 'previous'],
  ['ChannelUp', 'channelUp'],
  ['ChannelDown', 'channelDown'],
])

/**
 * Remote keys by `KeyboardEvent.keyCode`, because televisions often send no name. CEA-2014 defines the codes below
 * 500.
 */
const BY_CODE: ReadonlyMap<number, RemoteKey> = new Map([
  [19, 'pause'],
  [412, 'rewind'],
  [413, 'stop'],
  [415, 'play'],
  [417, 'forward'],
  [427, 'channelUp'],
  [428, 'channelDown'],
  // webOS
  [33, 'channelUp'],
  [34, 'channelDown'],
  [461, 'back'],
  // Tizen
  [10_009, 'back'],
  [10_232, 'previous'],
  [10_233, 'next'],
  [10_252, 'playPause'],
])

/** Returns the remote key of a key press. Undefined for arrows and OK, and for keys of a keyboard. */
export function remoteKey({ key, keyCode }: Pick<KeyboardEvent, 'key' | 'keyCode'>): RemoteKey | undefined {
  return BY_NAME.get(key) ?? BY_CODE.get(keyCode)
}
