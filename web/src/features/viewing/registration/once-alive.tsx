import { useHydrated } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AuthPanel } from '../accounts/auth-panel.tsx'

/** Only the browser knows the values of earlier steps, so before hydration only the title is shown. */
export function OnceAlive({ title, children }: { title: string; children: ReactNode }) {
  return useHydrated() ? children : <AuthPanel title={title} />
}
