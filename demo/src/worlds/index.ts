import type { WorldName } from '../title.ts'
import type { Stage, World, WorldMaker } from '../world.ts'
import { aurora } from './aurora.ts'
import { city } from './city.ts'
import { cutouts } from './cutouts.ts'
import { dunes } from './dunes.ts'
import { ink } from './ink.ts'
import { loom } from './loom.ts'
import { moire } from './moire.ts'
import { orbits } from './orbits.ts'
import { reeds } from './reeds.ts'
import { reef } from './reef.ts'
import { snow } from './snow.ts'
import { storm } from './storm.ts'
import { swell } from './swell.ts'

const WORLDS: Readonly<Record<WorldName, WorldMaker>> = {
  aurora,
  city,
  cutouts,
  dunes,
  ink,
  loom,
  moire,
  orbits,
  reeds,
  reef,
  snow,
  storm,
  swell,
}

/** Creates the world `name` for a stage. */
export function buildWorld(name: WorldName, stage: Stage): World {
  return WORLDS[name](stage)
}
