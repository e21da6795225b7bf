/** Information about modules during chunking. */
interface ModuleGraph {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null
}

/** Assigns a module to the chunk with a name; null leaves it to the bundler. */
interface Group {
  name(id: string, graph: ModuleGraph): string | null
  priority: number
}

/** The screen with which most visits begin, and the frame of all screens. Other screens load with their page. */
const FIRST_SCREENS = /\/src\/routes\/(?:shell|home)\.tsx\?tsr-split=/

/**
 * Puts the modules of the first page into two chunks: `ground` has the modules of packages, which seldom change, and
 * `first` our own modules, which the bundler merges into the entry, `index`. By default the bundler would split them
 * into some thirty files, which compress badly and need many requests on a slow network. Lazily imported modules remain
 * separate.
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
      priority: 2,
    },
    { name: (id, graph) => (isNeeded(id, graph) ? 'first' : null), priority: 1 },
  ]
}

/**
 * Puts the modules by which the player, the receiver and the layout share casting into one chunk. The entry names every
 * chunk that a screen needs, so fewer chunks make the first page smaller.
 */
export const CASTING: Group = {
  name: (id) => (CASTING_MODULES.test(id) ? 'casting' : null),
  priority: 0,
}

const CASTING_MODULES =
  /\/src\/features\/(?:viewing\/casting\/(?:cast-session|cast-target|kept-cast|own-screens|service-socket)|people\/devices\/paired-screen)\.ts$/

/** Puts the modules that screens share after a purchase into one chunk, to make the first page smaller too. */
export const PURCHASE: Group = {
  name: (id) => (PURCHASE_MODULES.test(id) ? 'after-purchase' : null),
  priority: 0,
}

const PURCHASE_MODULES =
  /\/web\/src\/features\/rights\/orders\/(?:ask-unlocked-anew|order-query)\.ts$|\/contract\/src\/subscription-service\.ts$/

/** Returns whether the first page imports a module, directly or indirectly. */
function isReached(id: string, graph: ModuleGraph): boolean {
  const seen = new Set([id])
  for (const each of seen) {
    const info = graph.getModuleInfo(each)
    if (FIRST_SCREENS.test(each) || info?.isEntry === true) return true
    for (const importer of info?.importers ?? []) seen.add(importer)
  }
  return false
}
