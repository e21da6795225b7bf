import type { WorldName } from '../title.ts'
import type { Stage, World, WorldMaker } from '../world.ts'
import { swell } from './swell.ts'

const WORLDS: Readonly<Partial<Record<WorldName, WorldMaker>>> = { swell }

/** Builds the world called `name` for a stage. */
export function buildWorld(name: WorldName, stage: Stage): World {
  const maker = WORLDS[name]
  if (maker === undefined) throw new Error(`There is no world called ${name}`)
  return maker(stage)
}
