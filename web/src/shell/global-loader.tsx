import { useRouterState } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { replayEarlyPress } from './browser/early-press.ts'
import styles from './global-loader.module.css'

/**
 * The sign that the application is starting, or fetching the next screen: a line across the top, so that what is there
 * already can be read. It fades away in 200 ms once the start is over (V4-03).
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
    if (!busy) replayEarlyPress()
  }, [busy])
  return <div className={styles.loader} data-busy={busy} aria-hidden="true" data-global-loader="" />
}

function never(): () => void {
  return () => {}
}
