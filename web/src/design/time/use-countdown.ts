import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Countdown } from './countdown.ts'

/**
 * Returns the elapsed fraction of a duration, from 0 to 1, in the steps of {@link Countdown}.
 * @param held whether the countdown is paused, because the viewer is using the element that will disappear
 * @param onEnd called once, when the countdown has ended
 */
export function useCountdown({
  durationMs,
  held = false,
  onEnd,
}: {
  durationMs?: number | undefined
  held?: boolean
  onEnd: () => void
}): number {
  const [share, setShare] = useState(0)
  const ended = useEffectEvent(onEnd)
  const countdown = useRef<Countdown>(undefined)
  useEffect(() => {
    countdown.current = new Countdown((now) => {
      setShare(now)
      if (now === 1) ended()
    }, durationMs)
    return () => countdown.current?.hold()
  }, [durationMs])
  useEffect(() => {
    if (held) countdown.current?.hold()
    else countdown.current?.run()
  }, [held])
  return share
}
