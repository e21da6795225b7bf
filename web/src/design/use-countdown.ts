import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Countdown } from './countdown.ts'

/**
 * What is over of a span of time, from 0 to 1, as {@link Countdown} steps.
 *
 * @param held whether it stands still, because someone looks at what it would take away
 * @param onEnd called once, at the end
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
