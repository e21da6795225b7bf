import { PLAYER } from '@ondine/contract/constants'

const KEY = 'ondine.volume'

/** The volume that was set last on this device, in percent; 100 before the first time (V9-01). */
export function readVolume(storage: Pick<Storage, 'getItem'>): number {
  const kept = storage.getItem(KEY)
  const percent = kept === null ? Number.NaN : Number(kept)
  return percent >= 0 && percent <= 100 ? percent : PLAYER.defaultVolume
}

export function keepVolume(storage: Pick<Storage, 'setItem'>, percent: number): void {
  storage.setItem(KEY, String(percent))
}
