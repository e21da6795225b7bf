import { firmSpaces } from '@ondine/contract/firm-spaces'
import type { CatalogueTexts } from '@ondine/contract/words'
import * as fra from './fra.ts'

/** The French texts that are built into the application, in the form in which the service serves texts. */
export const LOCAL_FRENCH: CatalogueTexts = Object.fromEntries(
  Object.entries(fra).map(([group, texts]) => [
    group,
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, firmSpaces(text)])),
  ]),
)
