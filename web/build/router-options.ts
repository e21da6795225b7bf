import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes'
import { ALIASES, ROUTES, STANDALONE } from '../src/routes.ts'

/** A path in the router's spelling: `/epg/{-$slug}` for `/epg/:slug?`, `/$` for all that is below. */
function routerPath(path: string): string {
  return path
    .replaceAll(/:(\w+)\?/g, '{-$$$1}')
    .replaceAll(/:(\w+)/g, '$$$1')
    .replace('*', '$')
}

const screens = Object.entries({ ...ROUTES, ...ALIASES }).map(([name, path]) => ({
  name,
  node: path === '/' ? index(`${name}.tsx`) : route(routerPath(path), `${name}.tsx`),
}))
const standalone = new Set<string>(STANDALONE)

// The table itself is passed, not a path to it: a path would be cached by a running development server.
const virtualRouteConfig = rootRoute('root.tsx', [
  layout(
    'shell',
    'shell.tsx',
    screens.filter(({ name }) => !standalone.has(name)).map(({ node }) => node),
  ),
  ...screens.filter(({ name }) => standalone.has(name)).map(({ node }) => node),
])

/** The first page has the screens for failures anyway. As files of their own, each route would name them. */
const CODE_SPLITTING: { defaultBehavior: 'component'[][] } = { defaultBehavior: [['component']] }

/** How the builds of the website and of the native app make the tree of routes. */
export const ROUTER = {
  virtualRouteConfig,
  generatedRouteTree: 'route-tree.gen.ts',
  quoteStyle: 'single',
  addExtensions: true,
  codeSplittingOptions: CODE_SPLITTING,
} as const
