import { LAYOUT } from '@ondine/contract/constants'
import { useSyncExternalStore } from 'react'

/** The state of the notice about the connection: none, offline, or online again (V2.4-15). */
export type ConnectionNotice = 'none' | 'offline' | 'back'

let notice: ConnectionNotice = 'none'
let timer: ReturnType<typeof setTimeout> | undefined

/** Returns the state of the notice about the connection. The state `back` lasts 6 s. */
export function useConnectionNotice(): ConnectionNotice {
  return useSyncExternalStore(
    follow,
    () => notice,
    () => 'none',
  )
}

function follow(changed: () => void): () => void {
  const say = (next: ConnectionNotice) => {
    clearTimeout(timer)
    notice = next
    if (next === 'back') timer = setTimeout(() => say('none'), LAYOUT.offlineToasterHideMs)
    changed()
  }
  const onOffline = () => say('offline')
  const onOnline = () => say(notice === 'offline' ? 'back' : 'none')
  // While another page was open, such as the player, nothing has followed the connection.
  if (navigator.onLine) onOnline()
  else onOffline()
  addEventListener('offline', onOffline)
  addEventListener('online', onOnline)
  return () => {
    clearTimeout(timer)
    removeEventListener('offline', onOffline)
    removeEventListener('online', onOnline)
  }
}
