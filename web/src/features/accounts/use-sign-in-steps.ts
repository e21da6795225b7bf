import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { signInSteps } from './after-sign-in.ts'
import { goHome } from './go-home.ts'

/** What follows a sign-in on a page, up to the one that was asked for, see {@link signInSteps}. */
export function useSignInSteps(): (back: string) => Promise<void> {
  const queries = useQueryClient()
  const configuration = useConfiguration()
  const router = useRouter()
  return useCallback(
    async (back) =>
      await signInSteps(queries, configuration, async (to) => {
        if (to === 'home') await goHome(router)
        else await router.navigate({ href: back, replace: true })
      }),
    [queries, configuration, router],
  )
}
