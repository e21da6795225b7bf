import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { sessionQuery, type Viewer, ViewerContext } from './session.ts'

/** Tells everything below who looks at the page, and what time it is at the service. */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { data: session, dataUpdatedAt } = useSuspenseQuery(sessionQuery)
  const viewer = useMemo((): Viewer => {
    const ahead = session.now - dataUpdatedAt / 1000
    return { session, everySecond, now: () => Math.floor(Date.now() / 1000 + ahead) }
  }, [session, dataUpdatedAt])
  return <ViewerContext value={viewer}>{children}</ViewerContext>
}

const LISTENERS = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all, however much of a page moves, so that all of it moves at once. */
function everySecond(changed: () => void): () => void {
  LISTENERS.add(changed)
  timer ??= setInterval(() => {
    for (const listener of LISTENERS) listener()
  }, 1000)
  return () => {
    LISTENERS.delete(changed)
    if (LISTENERS.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
