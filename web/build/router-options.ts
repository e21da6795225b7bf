import { index, layout, rootRoute, route } from '@tanstack/virtual-file-routes'
import { ALIASES, ROUTES, STANDALONE } from '../src/routes.ts'

/** Converts a path to the router's syntax: `/epg/:slug?` becomes `/epg/{-$slug}`, and `*` becomes `$`. */
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

// Passes the table itself, because a running development server would cache a table that is given by its path.
const virtualRouteConfig = rootRoute('root.tsx', [
  layout(
    'shell',
    'shell.tsx',
    screens.filter(({ name }) => !standalone.has(name)).map(({ node }) => node),
  ),
  ...screens.filter(({ name }) => standalone.has(name)).map(({ node }) => node),
])

/**
 * Splits the `component` of a route with its `loader`. They share a chunk, so prefetching the code of a screen gets
 * both. The error screens are part of the first page anyway, and splitting them would add their files to the list of
 * each route.
 */
const CODE_SPLITTING: { defaultBehavior: ('component' | 'loader')[][] } = {
  defaultBehavior: [['component', 'loader']],
}

/** The router's build options, shared by the website and the native app. */
export const ROUTER = {
  virtualRouteConfig,
  generatedRouteTree: 'route-tree.gen.ts',
  quoteStyle: 'single',
  addExtensions: true,
  codeSplittingOptions: CODE_SPLITTING,
} as const
