/** Style sheets are imported for the bundler; they have no value in the program. */
declare module '*.css';
