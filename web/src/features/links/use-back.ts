import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { goBack } from './walked.ts'

/** Leads back as V2.4-20 says. */
export function useBack(): () => void {
  const router = useRouter()
  return useCallback(() => goBack(router), [router])
}
