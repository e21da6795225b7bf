import type { Language } from '@ondine/contract/languages'
import type { LocalisedText } from '../database/columns.ts'
import { textIn } from './texts.ts'

/** Genres with their French and English names, because metadata files use either. */
const KNOWN: readonly (readonly [fra: string, eng: string])[] = [
  ['Action', 'Action'],
  ['Animation', 'Animation'],
  ['Art', 'Art'],
  ['Aventure', 'Adventure'],
  ['Biographie', 'Biography'],
  ['Comédie', 'Comedy'],
  ['Conte', 'Folk tale'],
  ['Court métrage', 'Short film'],
  ['Crime', 'Crime'],
  ['Documentaire', 'Documentary'],
  ['Drame', 'Drama'],
  ['Expérimental', 'Experimental'],
  ['Famille', 'Family'],
  ['Fantastique', 'Fantasy'],
  ['Guerre', 'War'],
  ['Histoire', 'History'],
  ['Horreur', 'Horror'],
  ['Jeunesse', 'Children'],
  ['Musique', 'Music'],
  ['Mystère', 'Mystery'],
  ['Nature', 'Nature'],
  ['Poésie', 'Poetry'],
  ['Policier', 'Crime'],
  ['Romance', 'Romance'],
  ['Science-fiction', 'Science fiction'],
  ['Sport', 'Sport'],
  ['Thriller', 'Thriller'],
  ['Voyage', 'Travel'],
  ['Western', 'Western'],
]

const BY_NAME = new Map(KNOWN.flatMap((pair) => pair.map((name) => [plain(name), pair] as const)))

/** Returns the name under which a genre is stored: its French name if it is known, else the name as written. */
export function genreKey(genre: string): string {
  return BY_NAME.get(plain(genre))?.[0] ?? genre
}

/** Returns the names of a genre in all known languages. An unknown genre has a name in `language` only. */
export function genreNames(genre: string, language: string): LocalisedText {
  const known = BY_NAME.get(plain(genre))
  return known === undefined ? { [language]: genre } : { fra: known[0], eng: known[1] }
}

/** Returns the name of a genre in a language. An unknown genre keeps the name as written. */
export function genreIn(genre: string, language: Language): string {
  return textIn(genreNames(genre, language), language)
}

/** Returns all names of a genre, in all languages. */
function genreAliases(genre: string): readonly string[] {
  return BY_NAME.get(plain(genre)) ?? [genre]
}

/**
 * Returns the other names of the genre with this name, in lower case without accents. With them, a search finds
 * the titles of a genre by any of the genre's names.
 */
export function genreWords(word: string): readonly string[] {
  return genreAliases(word)
    .map(plain)
    .filter((name) => name !== plain(word))
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\s\p{Mn}-]/gu, '')
}
