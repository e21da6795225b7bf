import { useHydrated } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AuthPanel } from '../accounts/auth-panel.tsx'

/**
 * Shows its children after hydration, and only a title before. Only the browser knows what the viewer entered in
 * earlier steps.
 */
export function OnceAlive({ title, children }: { title: string; children: ReactNode }) {
  return useHydrated() ? children : <AuthPanel title={title} />
}
