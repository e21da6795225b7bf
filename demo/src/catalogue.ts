import type { Film, Series, Title } from './title.ts'
import { apogee } from './titles/apogee.ts'
import { cielsDuNord } from './titles/ciels-du-nord.ts'
import { encre } from './titles/encre.ts'
import { frontFroid } from './titles/front-froid.ts'
import { interferences } from './titles/interferences.ts'
import { laHoule } from './titles/la-houle.ts'
import { leMarais } from './titles/le-marais.ts'
import { leMetier } from './titles/le-metier.ts'
import { lesDecoupages } from './titles/les-decoupages.ts'
import { premiereNeige } from './titles/premiere-neige.ts'
import { recif } from './titles/recif.ts'
import { sables } from './titles/sables.ts'
import { villeBasse } from './titles/ville-basse.ts'

/** All titles of the demonstration library. They are made in this order, so the most beautiful come first. */
export const CATALOGUE: readonly Title[] = [
  laHoule,
  cielsDuNord,
  recif,
  premiereNeige,
  villeBasse,
  apogee,
  leMetier,
  encre,
  sables,
  lesDecoupages,
  frontFroid,
  leMarais,
  interferences,
]

/** The films of the catalogue. */
export const FILMS: readonly Film[] = CATALOGUE.filter((title) => title.kind === 'film')

/** The series of the catalogue. */
export const SERIES: readonly Series[] = CATALOGUE.filter((title) => title.kind === 'series')
