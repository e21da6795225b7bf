import { PLAYER } from '@ondine/contract/constants'

const KEY = 'ondine.volume'

/** Reads the last volume of this device, in percent. The default is 100 (V9-01). */
export function readVolume(storage: Pick<Storage, 'getItem'>): number {
  const kept = storage.getItem(KEY)
  const percent = kept === null ? Number.NaN : Number(kept)
  return percent >= 0 && percent <= 100 ? percent : PLAYER.defaultVolume
}

export function keepVolume(storage: Pick<Storage, 'setItem'>, percent: number): void {
  storage.setItem(KEY, String(percent))
}
