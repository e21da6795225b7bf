import { openTabChannel } from '../../ground/platform/tab-channel.ts'

/** Name of the channel by which the tabs of this browser report changes of downloads. */
const CHANNEL = 'ondine-downloads'

const listeners = new Set<() => void>()
let channel: BroadcastChannel | undefined

function open(): BroadcastChannel | undefined {
  if (channel === undefined) {
    channel = openTabChannel(CHANNEL)
    channel?.addEventListener('message', tellHere)
  }
  return channel
}

function tellHere(): void {
  for (const changed of listeners) changed()
}

/** Reports that a download has changed, to this tab and to others. */
export function tellChange(): void {
  const tabs = open()
  const tell = tabs?.postMessage.bind(tabs)
  tell?.(null)
  tellHere()
}

/** Calls `changed` whenever a download changes. Returns a function that stops the calls. */
export function followDownloads(changed: () => void): () => void {
  open()
  listeners.add(changed)
  return () => listeners.delete(changed)
}
