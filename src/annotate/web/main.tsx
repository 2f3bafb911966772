import { render } from 'preact';
import { mustGet } from '../../present.js';
import { App } from './app.js';

render(<App />, mustGet(document.getElementById('app'), 'document.getElementById(app)'));
