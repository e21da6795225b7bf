import { useHydrated } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AuthPanel } from '../accounts/auth-panel.tsx'

/**
 * Shows only a title until hydration, and then its children. Only the browser has the values from earlier steps.
 */
export function OnceAlive({ title, children }: { title: string; children: ReactNode }) {
  return useHydrated() ? children : <AuthPanel title={title} />
}
