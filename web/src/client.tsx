import { RouterClient } from '@tanstack/react-router/ssr/client'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { getRouter } from './router.tsx'

// The default entry of TanStack Start also loads a client for server functions, which Ondine does not have
// (docs/decisions/0073).
void hydrate()

/**
 * A function, because a top-level `await` might never end. The router may import a module that imports this one. Such
 * a module waits until this one has run.
 */
async function hydrate(): Promise<void> {
  const router = await getRouter()
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RouterClient router={router} />
      </StrictMode>,
    )
  })
}
