import type { ScreenState } from '@ondine/contract/casting'
import { useEffect, useState } from 'react'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { castPosition } from './cast-target.ts'

const SECOND_MS = 1000

/**
 * Returns the position of a screen's content, in seconds; 0 while it is unknown. The position advances each second
 * (V4-51).
 */
export function useCastPosition(media: ScreenState | null): number {
  const [, setBeat] = useState(0)
  const advances = media?.playback === 'playing'
  useEffect(() => {
    if (!advances) return undefined
    const timer = setInterval(() => setBeat((beat) => beat + 1), SECOND_MS)
    return () => clearInterval(timer)
  }, [advances])
  return media === null ? 0 : (castPosition(media, serviceNow()) ?? 0)
}
