import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { goBack } from './walked.ts'

/** Returns a function that goes back (V2.4-20). */
export function useBack(): () => void {
  const router = useRouter()
  return useCallback(() => goBack(router), [router])
}
