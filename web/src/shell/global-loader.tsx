import { useRouterState } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { replayEarlyEvents } from './browser/event-replay.ts'
import styles from './global-loader.module.css'

/**
 * A progress line at the top of the window, while the application starts or the next screen loads. The current
 * content stays readable. After the start, the line fades out in 200 ms (V4-03).
 */
export function GlobalLoader({ started }: { started: boolean }) {
  const pending = useRouterState({ select: ({ status }) => status === 'pending' })
  const alive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const busy = !alive || !started || pending
  useEffect(() => {
    if (!busy) replayEarlyEvents()
  }, [busy])
  return <div className={styles.loader} data-busy={busy} aria-hidden="true" data-global-loader="" />
}

function never(): () => void {
  return () => {}
}
