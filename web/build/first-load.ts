/** The bundler's module information that the groups need. */
interface ModuleGraph {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null
}

/**
 * A group of modules for a chunk. `name` returns the name of a module's chunk; null leaves the module to the
 * bundler.
 */
interface Group {
  name(id: string, graph: ModuleGraph): string | null
  priority: number
}

/**
 * The screens of the first load: home, with which most visits begin, and the frame of all screens. Other screens
 * load when the viewer opens them.
 */
const FIRST_SCREENS = /\/src\/routes\/(?:shell|home)\.tsx\?tsr-split=/

/**
 * Puts the modules of the first page into two chunks. `ground` has the modules of packages, which seldom change.
 * `first` has the application's own modules, and the bundler merges it into the entry chunk, `index`. By default the
 * bundler would create about thirty files, which compress badly and need many requests on a slow network. Lazily
 * imported modules remain separate.
 */
export function firstLoad(): Group[] {
  const needed = new Map<string, boolean>()
  const isNeeded = (id: string, graph: ModuleGraph): boolean => {
    const answer = needed.get(id) ?? isReached(id, graph)
    needed.set(id, answer)
    return answer
  }
  return [
    {
      name: (id, graph) => (id.includes('/node_modules/') && isNeeded(id, graph) ? 'ground' : null),
      priority: 3,
    },
    { name: (id, graph) => (isNeeded(id, graph) ? 'first' : null), priority: 2 },
  ]
}

/**
 * Puts the casting modules that the player, the receiver and the layout share into one chunk. The entry chunk lists
 * all chunks of every screen, so fewer chunks make the first page smaller.
 */
export const CASTING: Group = {
  name: (id) => (CASTING_MODULES.test(id) ? 'casting' : null),
  priority: 1,
}

const CASTING_MODULES =
  /\/src\/features\/(?:viewing\/casting\/(?:cast-session|cast-target|kept-cast|own-screens|service-socket)|people\/devices\/paired-screen)\.ts$/

/**
 * Puts the modules that many screens share into one chunk, so that a screen needs fewer requests and the entry chunk
 * lists fewer chunks. Twelve is the lowest count that keeps React Aria's select out, whose 28,000 bytes most screens
 * never use.
 */
export const COMMON = { name: 'common', minShareCount: 12, priority: 0 }

/** Returns whether the first page imports a module, directly or through other modules. */
function isReached(id: string, graph: ModuleGraph): boolean {
  const seen = new Set([id])
  for (const each of seen) {
    const info = graph.getModuleInfo(each)
    if (FIRST_SCREENS.test(each) || info?.isEntry === true) return true
    for (const importer of info?.importers ?? []) seen.add(importer)
  }
  return false
}
