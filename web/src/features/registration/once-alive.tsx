import { useHydrated } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AuthPanel } from '../accounts/auth-panel.tsx'

/** What is carried from step to step is in the browser: before the page is alive there is only the title. */
export function OnceAlive({ title, children }: { title: string; children: ReactNode }) {
  return useHydrated() ? children : <AuthPanel title={title} />
}
