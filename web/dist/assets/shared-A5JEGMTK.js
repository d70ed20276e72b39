var r='"Barlow Semi Condensed", sans-serif',e=document.createElement("canvas").getContext("2d");function o(n){return t=>e===null?0:(e.font=`600 ${n}px ${r}`,e.measureText(t).width)}export{o as a};
