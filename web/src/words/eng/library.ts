import type { library as french } from '../fra/library.ts'

export const library: typeof french = {
  title: 'Library',
  'library-rentals': 'Rentals',
  'library-past': 'Past rentals',
  'library-downloads': 'Downloads',
  'library-completed-records': 'Recordings',
  'library-scheduled-records': 'Scheduled recordings',
  rentalsEmpty: 'No rentals at the moment. Titles you rent will appear here, with the time you have left.',
  pastEmpty: 'No past rentals. Titles whose rental has ended will appear here.',
  goCatalogue: 'Browse the catalogue',
  goRentals: 'See current rentals',
}
