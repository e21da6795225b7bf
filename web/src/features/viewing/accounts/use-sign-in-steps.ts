import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { signInSteps } from './after-sign-in.ts'
import { goHome } from './go-home.ts'

/** Returns a function that runs {@link signInSteps}. Its parameter is the path of the requested page. */
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
